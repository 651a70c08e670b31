// Errors that the file system answers with later: they carry no frames, as no JavaScript runs when they come.
const fs = require('node:fs');
const calls = {
  readFile: (done) => fs.readFile('nope', done),
  stat: (done) => fs.stat('nope', done),
  open: (done) => fs.open('nope', 'r', done),
  readdir: (done) => fs.readdir('nope', done),
  rename: (done) => fs.rename('nope', 'other', done),
  createReadStream: (done) => fs.createReadStream('nope').on('error', done),
  createWriteStream: (done) => fs.createWriteStream('nope/x').on('error', done),
  'promises.stat': (done) => fs.promises.stat('nope').catch(done),
  'promises.readFile': (done) => fs.promises.readFile('nope').catch(done),
};
(async () => {
  for (const [name, call] of Object.entries(calls)) console.log(name, await new Promise(call));
})();
