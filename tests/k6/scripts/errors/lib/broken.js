export const broken = {
  a: 1,,
};
