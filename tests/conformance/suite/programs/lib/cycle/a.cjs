console.log(Object.keys(require('./b.mjs')));
