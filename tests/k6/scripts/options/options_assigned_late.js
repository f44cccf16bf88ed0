// options without export are no options.
const options = { iterations: 50 };

export default function () {
  console.log('once', options.iterations);
}
