/** Semi, anti and mark joins put out one side only; mark joins add the column `mark`: whether the row has a match. */
export type JoinType =
  | 'Inner'
  | 'Left'
  | 'Right'
  | 'Full'
  | 'LeftSemi'
  | 'RightSemi'
  | 'LeftAnti'
  | 'RightAnti'
  | 'LeftMark'
  | 'RightMark';
