// TZ, set while the program runs: Date's local half, Intl's default, the hour that is missing and the one that comes twice.
const show=(...v)=>console.log(...v);
for (const zone of ['UTC','Europe/Amsterdam','America/New_York','Asia/Kolkata','Pacific/Apia','Asia/Tokyo','Etc/GMT+5']) {
  process.env.TZ = zone;
  show('==', zone, Intl.DateTimeFormat().resolvedOptions().timeZone, new Intl.DateTimeFormat('en-GB',{timeZone:'Asia/Tokyo'}).resolvedOptions().timeZone);
  for (const ms of [0, 1.5e12, 1523709296789, 1616893200000, 1635642000000, 1711846800000, NaN]) {
    const d = new Date(ms);
    show(d.toString(), '|', d.toDateString(), '|', d.toTimeString(), '|', d.getTimezoneOffset(), d.getFullYear(), d.getMonth(), d.getDate(), d.getDay(), d.getHours(), d.getMinutes(), d.getSeconds(), d.getMilliseconds(), d.getYear());
    show(d.toLocaleString('en-US'), '|', d.toLocaleDateString('en-US'), '|', d.toLocaleTimeString('en-US'), '|', d.toLocaleString('en-US',{timeZone:'UTC'}), '|', d.toUTCString());
  }
  for (const args of [[2021,2,28,2,30],[2021,9,31,2,30],[2021,9,31,3],[2024,2,10,2,30],[2024,10,3,1,30],[99,0],[2020,12],[2020,1,NaN],[1900,0,1]]) show(+new Date(...args));
  for (const text of ['2021-03-28','2021-03-28T12:00','2021-03-28T12:00:00.5','2021-03-28T12:00Z','2021-03-28T12:00+02:00','2021-03-28 12:00','Mar 28, 2021','Mar 28, 2021 10:00 PST','28 March 2021 05:06:07','3/28/2021','Sun, 28 Mar 2021 01:00:00 GMT','Sun Mar 28 2021 01:00:00 GMT+0200 (CEST)','2021','x','2021-06']) show(text, Date.parse(text), +new Date(text));
  const d = new Date(1616893200000);
  show(d.setHours(2,30), d.setDate(31), d.setMonth(9), d.setMinutes(1,2,3), d.setSeconds(5), d.setMilliseconds(7), d.setFullYear(2020,1,29), d.setHours(NaN), d.setHours(3), d.setFullYear(1999), +d);
  show(new Date(2020, 0, 1).toISOString(), JSON.stringify(new Date(2020, 6, 1)), new Date(new Date(5)).getTime(), new Date('5').getTime());
}
class Day extends Date { late() { return this.getHours() } }
show(new Day(2020,1,1) instanceof Day, new Day(2020,1,1).late(), Date.length, Date.name, new Date() instanceof Date, typeof Date(), Date().slice(-30).includes('GMT'), Object.prototype.toString.call(new Date), new Date(0).constructor === Date, Date.prototype.constructor === Date, require('util').types.isDate(new Date), require('util').inspect(Date), require('util').types.isProxy(Date));
show(new Intl.DateTimeFormat('en-US',{dateStyle:'full',timeStyle:'long'}).format(0), Intl.DateTimeFormat('en-US',{hour:'numeric'}).format(0), Intl.DateTimeFormat.supportedLocalesOf(['en']).join());
delete process.env.TZ;
