// How much an application may send. The gateway has a usage plan for each.

export const plans = ['small', 'medium', 'large'] as const;
export type Plan = (typeof plans)[number];

/** The plan of an application that has not changed it is `large`. */
export const planOf = ({ plan = 'large' }: { plan?: Plan | undefined }): Plan => plan;
