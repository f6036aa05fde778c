/** Calendar kernels that emitted expressions call; days are since 1970-01-01. Twin: columnar/calendar.ts. */

function floorDiv(a: i64, b: i64): i64 {
  const quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

let civilYear: i64 = 0;
let civilMonth: i64 = 0;
let civilDay: i64 = 0;

function toCivil(days: i32): void {
  // Years 0 to 9999 in 32 bits, where division by constants is multiplication; the rest of the range in 64.
  if (days >= -719468 && days < 2932897) toCivilNear((days + 719468) as u32);
  else toCivilFar(days as i64);
}

function toCivilNear(shifted: u32): void {
  const era = shifted / 146097;
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
  const dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  const shiftedMonth = (5 * dayOfYear + 2) / 153;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  civilDay = (dayOfYear - (153 * shiftedMonth + 2) / 5 + 1) as i64;
  civilMonth = month as i64;
  civilYear = (yearOfEra + era * 400 + (month <= 2 ? 1 : 0)) as i64;
}

function toCivilFar(days: i64): void {
  const shifted = days + 719468;
  const era = floorDiv(shifted, 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
  const dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  const shiftedMonth = (5 * dayOfYear + 2) / 153;
  civilDay = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1;
  civilMonth = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  civilYear = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0);
}

function fromCivil(year: i64, month: i64, day: i64): i64 {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = floorDiv(shiftedYear, 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
}

function daysInMonth(year: i64, month: i64): i64 {
  if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

export function yearOfDays(days: i32): i32 {
  toCivil(days);
  return civilYear as i32;
}

export function monthOfDays(days: i32): i32 {
  toCivil(days);
  return civilMonth as i32;
}

export function dayOfDays(days: i32): i32 {
  toCivil(days);
  return civilDay as i32;
}

export function dayOfYearOfDays(days: i32): i32 {
  toCivil(days);
  return ((days as i64) - fromCivil(civilYear, 1, 1) + 1) as i32;
}

/** `days` moved by whole months, clamped to the end of the month; the caller checks that the result fits 32 bits. */
export function addMonthsToDays(days: i32, months: i32): f64 {
  toCivil(days);
  const total = civilYear * 12 + (civilMonth - 1) + (months as i64);
  const year = floorDiv(total, 12);
  const month = total - year * 12 + 1;
  const most = daysInMonth(year, month);
  return fromCivil(year, month, civilDay < most ? civilDay : most) as f64;
}
