// A script's own options name no features.
export const options = { features: ['freeze-env'] };

export default function () {
  console.log(__ENV.K6_FEATURES, Object.isFrozen(__ENV));
}
