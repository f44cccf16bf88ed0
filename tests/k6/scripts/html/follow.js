// submitForm and clickLink: defaults, options, and what goes wrong.
import http from 'k6/http';

const tried = (what) => {
  try {
    const res = what();
    const seen = JSON.parse(res.body);
    return `${seen.method} ${seen.path} ${JSON.stringify(seen.query)} ${seen.body}`;
  } catch (error) {
    return `${error.name}: ${error.message.split(__ENV.BASE).join('BASE')}`;
  }
};

export default function () {
  const base = __ENV.BASE;
  const forms = http.get(`${base}/forms`);
  console.log(tried(() => forms.submitForm()));
  console.log(tried(() => forms.submitForm({})));
  console.log(tried(() => forms.submitForm({ formSelector: '#one' })));
  console.log(tried(() => forms.submitForm({ formSelector: '#one', fields: { user: null, extra: 5, list: ['a', 'b'] } })));
  console.log(tried(() => forms.submitForm({ formSelector: '#one', fields: 'none' })));
  console.log(tried(() => forms.submitForm({ formSelector: '#two', fields: { q: ['a', 'b'], n: null } })));
  console.log(tried(() => forms.submitForm({ formSelector: '#two', submitSelector: 'nope' })));
  console.log(tried(() => forms.submitForm({ formSelector: '#two', params: { headers: { 'X-A': '1' }, tags: { name: 'form' } } })));
  console.log(tried(() => forms.submitForm({ formSelector: 'p' })));
  console.log(tried(() => forms.submitForm({ formSelector: '[' })));
  console.log(tried(() => forms.submitForm({ formSelector: undefined })));
  const links = http.get(`${base}/links`);
  console.log(tried(() => links.clickLink()));
  console.log(tried(() => links.clickLink({})));
  console.log(tried(() => links.clickLink({ selector: 'a', params: { tags: { name: 'link' } } })));
  console.log(tried(() => links.clickLink({ selector: 'body' })));
  console.log(tried(() => links.clickLink({ selector: 'nope' })));
  console.log(tried(() => links.clickLink({ selector: undefined })));
}
