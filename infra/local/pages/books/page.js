// The page. Its address has the user, the tenant and the view.

import { profileOf } from './api.js';
import { h } from './elements.js';
import { views } from './views.js';

const [choice, nav, main, status] = ['choice', 'views', 'main', 'status'].map((id) =>
  document.getElementById(id),
);

const say = (message, isFailure = false) => {
  status.textContent = message;
  status.classList.toggle('failed', isFailure);
};

const firstView = '#/trial-balance';
/** The tenants of the user, by their prefixes. */
let tenantsOf = new Map();

/** The company of a view, also on paper. */
const companyOf = ({ company_name: name, tenant_domain_url: prefix, currency, lock_date: lock }) =>
  h(
    'p',
    { class: 'company' },
    h('strong', {}, name),
    ` (${prefix}), books in ${currency}. `,
    lock === null ? 'No period is locked.' : `Locked up to ${lock}.`,
  );

const timeOf = (now) => `Read on ${now.toISOString().slice(0, 16).replace('T', ' at ')} UTC.`;

let shown = 0;

/** Shows the view of the address, unless the address changed in the meantime. */
const showView = async ({ moveFocus }) => {
  const tenant = choice.tenant.value;
  if (tenant === '') return;
  const [name, ...parameters] = (location.hash || firstView).slice(2).split('/');
  const view = views[name] ?? views['trial-balance'];
  shown += 1;
  const number = shown;
  say('Reading…');
  try {
    const content = await view(tenant, ...parameters.map(decodeURIComponent));
    if (number !== shown) return;
    const company = companyOf(tenantsOf.get(tenant));
    const time = h('p', { class: 'printed' }, timeOf(new Date()));
    main.replaceChildren(company, ...content.filter(Boolean), time);
    say('');
    if (moveFocus) main.querySelector('h2')?.focus();
  } catch (error) {
    if (number !== shown) return;
    main.replaceChildren();
    say(error.message, true);
  }
  for (const link of nav.querySelectorAll('a')) {
    if (link.hash === `#/${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
};

/** Puts this user and tenant into the address. */
const rememberChoice = () => {
  const query = new URLSearchParams({ email: choice.email.value, tenant: choice.tenant.value });
  history.replaceState(null, '', `?${query}${location.hash}`);
};

const showUser = async (email, wanted) => {
  say('Reading…');
  try {
    const { tenants } = await profileOf(email);
    tenantsOf = new Map(tenants.map((it) => [it.tenant_domain_url, it]));
    choice.tenant.replaceChildren(
      ...tenants.map(({ tenant_domain_url: prefix, company_name: name, status: state }) => {
        const words = state === 'active' ? prefix : `${prefix}, ${state}`;
        return h(
          'option',
          { value: prefix, selected: prefix === wanted && '' },
          `${name} (${words})`,
        );
      }),
    );
    choice.tenant.disabled = tenants.length === 0;
    nav.hidden = tenants.length === 0;
    main.replaceChildren();
    if (tenants.length === 0) return say('This user has no tenants.');
    rememberChoice();
    await showView({ moveFocus: false });
  } catch (error) {
    say(error.message, true);
  }
};

choice.addEventListener('submit', (event) => {
  event.preventDefault();
  showUser(choice.email.value);
});
/** Another tenant has no such entry or account, so the page changes to its list. */
const listsOf = { entry: '#/entries', account: '#/accounts' };

choice.tenant.addEventListener('change', () => {
  const list = listsOf[location.hash.slice(2).split('/')[0]];
  if (list !== undefined) history.replaceState(null, '', list);
  rememberChoice();
  showView({ moveFocus: false });
});
addEventListener('hashchange', () => {
  rememberChoice();
  showView({ moveFocus: true });
});

const address = new URLSearchParams(location.search);
choice.email.value = address.get('email') ?? 'ada@example.com';
showUser(choice.email.value, address.get('tenant'));
