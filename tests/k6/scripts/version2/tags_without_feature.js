// Without the feature the tags of the flag replace those of the script; nobody else sets a feature's tag.
// @args --tag a=9 --tag k6_feature_x=true
export const options = {
  tags: { b: '2' },
  thresholds: { 'iterations{b:2}': ['count==0'], 'iterations{a:9}': ['count==1'], 'iterations{k6_feature_x:true}': ['count<2'] },
};

export default function () {}
