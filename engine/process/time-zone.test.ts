import { describe, expect, it } from 'vitest';
import { ZoneClock, zoneOf } from './time-zone';

describe('a zone named by TZ', () => {
  it('counts from UTC, with summer time', () => {
    const amsterdam = new ZoneClock('Europe/Amsterdam');
    expect(amsterdam.offset(Date.UTC(2021, 0, 1))).toBe(3_600_000);
    expect(amsterdam.offset(Date.UTC(2021, 6, 1))).toBe(7_200_000);
    expect(amsterdam.suffix(Date.UTC(2021, 6, 1))).toBe('GMT+0200 (Central European Summer Time)');
    expect(new ZoneClock('America/New_York').offset(0)).toBe(-18_000_000);
    expect(new ZoneClock('UTC').offset(0)).toBe(0);
  });

  it('takes the earlier of two moments, and a time in the gap as the clock went before it', () => {
    const amsterdam = new ZoneClock('Europe/Amsterdam');
    expect(amsterdam.utcOf(Date.UTC(2021, 9, 31, 2, 30))).toBe(Date.UTC(2021, 9, 31, 0, 30));
    expect(amsterdam.utcOf(Date.UTC(2021, 2, 28, 2, 30))).toBe(Date.UTC(2021, 2, 28, 1, 30));
    expect(amsterdam.utcOf(Number.NaN)).toBeNaN();
  });

  it('reads a time without a zone as local, a date alone and a named zone as they are', () => {
    const tokyo = new ZoneClock('Asia/Tokyo');
    expect(tokyo.parse('2021-03-28T12:00')).toBe(Date.UTC(2021, 2, 28, 3));
    expect(tokyo.parse('Mar 28, 2021')).toBe(Date.UTC(2021, 2, 27, 15));
    expect(tokyo.parse('2021-03-28')).toBe(Date.UTC(2021, 2, 28));
    expect(tokyo.parse('2021-03-28T12:00+02:00')).toBe(Date.UTC(2021, 2, 28, 10));
    expect(tokyo.parse('no date')).toBeNaN();
  });

  it('takes what it does not know for UTC', () => {
    expect(['foo', '', 'utc', 'Mars/Base', ':Asia/Tokyo', 'UTC-3', 'UTC0'].map(zoneOf)).toEqual([
      'UTC',
      'UTC',
      'UTC',
      'UTC',
      'Asia/Tokyo',
      'Etc/GMT-3',
      'UTC',
    ]);
  });
});
