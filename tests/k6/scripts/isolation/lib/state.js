export const state = { count: 0 };
export const list = [];
let calls = 0;
export const count = () => ++calls;
