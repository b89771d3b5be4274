// The plot of a balance over time, in steps: a balance changes only with an entry.

const size = { width: 720, height: 220 };
const margin = { left: 12, right: 12, top: 14, bottom: 14 };

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

/**
 * The path of the steps and the position of zero, in units of the view box.
 * @param balances of at least one date
 */
export const stepsOf = ({ opening, points }) => {
  const amounts = points.map(({ balance }) => Number(balance));
  const x = scaleOf(
    points.map(({ date }) => dayOf(date)),
    [margin.left, size.width - margin.right],
  );
  const y = scaleOf([0, Number(opening), ...amounts], [size.height - margin.bottom, margin.top]);
  const at = (value) => Math.round(value * 10) / 10;
  const steps = points.map(({ date }, index) => `H${at(x(dayOf(date)))}V${at(y(amounts[index]))}`);
  const end = points.length === 1 ? `H${size.width - margin.right}` : '';
  return {
    path: `M${margin.left} ${at(y(Number(opening)))}${steps.join('')}${end}`,
    zero: at(y(0)),
    ...size,
  };
};
