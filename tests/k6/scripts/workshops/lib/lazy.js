export const loaded = true;
export default (x) => x * 2;
