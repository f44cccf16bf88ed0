// Features are named in the configuration file.
// @home-config features.json
export default function () {
  console.log(__ENV.K6_FEATURES);
}
