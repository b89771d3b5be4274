// Plots of horizontal bars: as SVG for the page, and as text for the terminal.

type Bar = { label: string; value: number; colour: 'ours' | 'bare' };
export type Plot = { title: string; unit: string; bars: Bar[] };

const colours = { ours: '#2b6cb0', bare: '#a0aec0' };
const width = 860;
const labelWidth = 300;
const barWidth = 460;
const rowHeight = 18;
const titleHeight = 34;

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

const largestOf = ({ bars }: Plot): number => Math.max(...bars.map(({ value }) => value), 0);

const barElements = (plot: Plot, top: number): string[] =>
  plot.bars.map(({ label, value, colour }, row) => {
    const y = top + row * rowHeight;
    const length = largestOf(plot) > 0 ? (value / largestOf(plot)) * barWidth : 0;
    return [
      `<text x="${labelWidth - 8}" y="${y + 12}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${labelWidth}" y="${y + 2}" width="${length.toFixed(1)}" height="13" ` +
        `fill="${colours[colour]}"/>`,
      `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${y + 12}">${figure(value)}</text>`,
    ].join('\n');
  });

/** Draws plots under a title, one below the other; each has a scale of its own, from zero. */
export const drawPlots = (title: string, plots: readonly Plot[]): string => {
  const parts: string[] = [];
  let top = 10;
  for (const plot of plots) {
    const heading = `${escaped(plot.title)} (${escaped(plot.unit)})`;
    parts.push(`<text x="10" y="${top + 16}" font-weight="bold">${heading}</text>`);
    top += titleHeight - 8;
    parts.push(...barElements(plot, top));
    top += plot.bars.length * rowHeight + 16;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" ` +
      `viewBox="0 0 ${width} ${top}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${top}" fill="white"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
};

const textWidth = 40;

/** The same bars for a terminal. */
export const printPlot = (plot: Plot): string => {
  const maximumLabelLength = Math.max(...plot.bars.map(({ label }) => label.length));
  const lines = plot.bars.map(({ label, value, colour }) => {
    const length = Math.round((value / (largestOf(plot) || 1)) * textWidth);
    const bar = (colour === 'ours' ? '█' : '░').repeat(length);
    return `  ${label.padEnd(maximumLabelLength)}  ${bar} ${figure(value)}`;
  });
  return [`${plot.title} (${plot.unit})`, ...lines].join('\n');
};
