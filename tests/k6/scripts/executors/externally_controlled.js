// @exit 104
// externally-controlled without a duration is a bad configuration here.
export const options = { scenarios: { s: { executor: 'externally-controlled', vus: 10, maxVUs: 5, duration: '1s' } } };

export default function () {}
