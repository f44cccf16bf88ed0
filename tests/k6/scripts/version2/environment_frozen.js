// @since 2.2
// @args --features freeze-env -e NAME=value
// `__ENV` cannot be changed.
export default function () {
  for (const work of [() => { __ENV.NAME = 'x'; }, () => { __ENV.OTHER = 'x'; }, () => delete __ENV.NAME]) {
    try {
      work();
      console.log('done', __ENV.NAME, __ENV.OTHER);
    } catch (error) {
      console.log(`${error}`, __ENV.NAME);
    }
  }
}
