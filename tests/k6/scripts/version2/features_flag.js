// Features are named by a flag; tags of all layers are merged, __ENV is frozen.
// @former-exit 255
// @args --features merge-run-tags,freeze-env --tag a=9
export const options = {
  tags: { a: '1', b: '2' },
  thresholds: {
    'iterations{a:9}': ['count==1'],
    'iterations{b:2}': ['count==1'],
    'iterations{k6_feature_merge_run_tags:true}': ['count==1'],
  },
};

export default function () {
  console.log(__ENV.K6_FEATURES, Object.isFrozen(__ENV));
  let thrown = 'nothing';
  try {
    __ENV.K6_FEATURES = 'other';
  } catch (error) {
    thrown = error.name;
  }
  console.log(thrown, __ENV.K6_FEATURES);
}
