let n = 10;
export const next = () => n++;
export default { name: 'tool' };
