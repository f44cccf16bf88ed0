// A scenario's variables are frozen too.
// @former-exit 255
// @args --features freeze-env
export const options = {
  scenarios: { s: { executor: 'shared-iterations', vus: 1, iterations: 2, env: { OF_SCENARIO: 'yes' } } },
};

export default function () {
  try {
    delete __ENV.OF_SCENARIO;
  } catch (error) {
    console.log(error.name);
  }
  console.log(__ENV.OF_SCENARIO);
}
