// What the summaries of all runs over due work share.

/** If nothing is due. */
export const nothingDue = {
  due: 0,
  done: 0,
  deferred: 0,
  stuck: 0,
  suspended: 0,
  unfinished: 0,
  not_tried: 0,
  stopped_early: 'no',
  continues_with: 'nothing',
};
