// The plot of a balance over time, in steps: a balance changes only with an entry.

const height = 240;
/** Above the plot is the currency, below it are the dates. */
const margin = { right: 4, top: 24, bottom: 28 };
const digitWidth = 7;

const dayOf = (date) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;

/**
 * The last balance of each date, preceded by the opening balance.
 * @param opening the balance before the first line, as decimal text
 * @param lines the account's lines in order, with `posting_date` and `balance`
 */
export const balancesByDate = (opening, lines) => {
  const byDate = new Map(lines.map(({ posting_date, balance }) => [posting_date, balance]));
  return { opening, points: [...byDate].map(([date, balance]) => ({ date, balance })) };
};

/** The least and the greatest balance, as decimal texts. */
export const extremesOf = ({ opening, points }) => {
  const balances = [opening, ...points.map(({ balance }) => balance)];
  balances.sort((one, other) => Number(one) - Number(other));
  return [balances.at(0), balances.at(-1)];
};

/** Values as positions between the edges. The plot needs no exact amounts. */
const scaleOf = (values, [from, to]) => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) =>
    most === least ? (from + to) / 2 : from + ((value - least) / (most - least)) * (to - from);
};

/** Three to six round amounts that cover the values. */
export const ticksOf = (values) => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const part = Math.max(most - least, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(part));
  const step = power * [1, 2, 5, 10].find((it) => it * power >= part);
  const first = Math.floor(least / step);
  const count = Math.ceil(most / step) - first + 1;
  return Array.from({ length: Math.max(count, 2) }, (_, place) => (first + place) * step);
};

const labelOf = (amount) =>
  amount.toLocaleString('en-US').replaceAll(',', '\u202f').replace('-', '\u2212');

/**
 * The path of the steps, the position of zero, and the labels of the axes, in units of the view
 * box.
 * @param balances of at least one date
 */
export const stepsOf = ({ opening, points }, width) => {
  const amounts = points.map(({ balance }) => Number(balance));
  const ticks = ticksOf([0, Number(opening), ...amounts]);
  const labels = ticks.map(labelOf);
  const left = 8 + digitWidth * Math.max(3, ...labels.map(({ length }) => length));
  const right = width - margin.right;
  const x = scaleOf(
    points.map(({ date }) => dayOf(date)),
    [left, right],
  );
  const y = scaleOf(ticks, [height - margin.bottom, margin.top]);
  const at = (value) => Math.round(value * 10) / 10;
  const steps = points.map(({ date }, index) => `H${at(x(dayOf(date)))}V${at(y(amounts[index]))}`);
  const end = points.length === 1 ? `H${right}` : '';
  return {
    path: `M${left} ${at(y(Number(opening)))}${steps.join('')}${end}`,
    zero: at(y(0)),
    ticks: ticks.map((amount, place) => ({ y: at(y(amount)), label: labels[place] })),
    left,
    bottom: height - 8,
    width,
    height,
  };
};
