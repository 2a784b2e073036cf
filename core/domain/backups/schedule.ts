import type { BackupSchedule } from '../../contracts/dashboard/backups.ts';

/**
 * The latest time at or before `now` at which the schedule demands a backup, in the time zone of the machine.
 * @param schedule daily, or weekly on its weekday
 */
export function lastDue(schedule: BackupSchedule, now: Date): Date {
  const due = onDay(schedule, now, 0);
  return nearest(schedule, due > now ? -1 : 0, now, -1);
}

/** The first time after `now` at which the schedule demands a backup. */
export function nextDue(schedule: BackupSchedule, now: Date): Date {
  const due = onDay(schedule, now, 0);
  return nearest(schedule, due > now ? 0 : 1, now, 1);
}

/** @param days from the day of `now`. @param step direction of the search for the weekday */
function nearest(schedule: BackupSchedule, days: number, now: Date, step: 1 | -1): Date {
  let due = onDay(schedule, now, days);
  for (let tried = 1; schedule.every === 'week' && due.getDay() !== schedule.weekday; tried += 1)
    due = onDay(schedule, now, days + step * tried);
  return due;
}

function onDay({ minute }: BackupSchedule, now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 0, minute);
}
