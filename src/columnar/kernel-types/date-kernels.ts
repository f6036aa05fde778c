/** Calendar kernels (`kernels/dates.ts`), called by emitted expressions. */
export interface DateKernels {
  yearOfDays(days: number): number;
  monthOfDays(days: number): number;
  dayOfDays(days: number): number;
  dayOfYearOfDays(days: number): number;
  /** May leave 32 bits. */
  addMonthsToDays(days: number, months: number): number;
}
