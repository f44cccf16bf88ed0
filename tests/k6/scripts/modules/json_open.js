// JSON by open and JSON.parse.
const config = JSON.parse(open('./data/config.json'));

export const options = { iterations: config.iterations };

export default function () {
  console.log(config.name, config.iterations);
}
