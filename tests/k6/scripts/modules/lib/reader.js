export const text = open('../data/beside.txt');
