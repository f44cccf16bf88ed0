// Features are named by the environment.
// @former-exit 99
// @env K6_FEATURES=freeze-env, nope
export const options = { thresholds: { 'iterations{k6_feature_freeze_env:true}': ['count==1'] } };

export default function () {
  console.log(__ENV.K6_FEATURES, Object.isFrozen(__ENV));
}
