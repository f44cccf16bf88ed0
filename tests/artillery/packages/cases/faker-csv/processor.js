const fs = require('fs');
const os = require('os');
const path = require('path');
const { faker } = require('@faker-js/faker');
const _ = require('lodash');

// Writes rows for other tests beside the run.
faker.seed(3);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rows-'));
const file = path.join(folder, 'users.csv');
fs.writeFileSync(file, _.times(3, () => faker.string.numeric(6)).join('\n'));
const rows = fs.readFileSync(file, 'utf8').split('\n');
fs.rmSync(folder, { recursive: true });

exports.row = (context, ee, done) => {
  context.vars.ids = _.sortBy(rows);
  done();
};
