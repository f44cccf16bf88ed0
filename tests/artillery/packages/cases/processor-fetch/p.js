exports.load = async (context) => {
  const answer = await fetch(new URL('/anything/a?b=c', context.vars.target), { method: 'POST', body: 'text', headers: { 'x-a': 'b' } });
  context.vars.status = answer.status;
  context.vars.ok = answer.ok;
  context.vars.text = (await answer.json()).method;
};
