const hidden = 'renamed';
export { hidden as named };
