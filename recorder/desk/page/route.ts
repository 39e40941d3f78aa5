/** Where on the page somebody is: the part of the address behind `#`. */
import { signal } from '@preact/signals';

export type Route =
  | { readonly page: 'hall' | 'setup' }
  | { readonly page: 'game'; readonly game: number }
  | { readonly page: 'claim'; readonly game: number };

function readRoute(hash: string): Route {
  const [page, number] = hash.replace(/^#\/?/, '').split('/');
  const game = Number(number);
  if ((page === 'game' || page === 'claim') && Number.isInteger(game) && game > 0) return { page, game };
  return { page: page === 'setup' ? 'setup' : 'hall' };
}

export const route = signal<Route>(readRoute(location.hash));
addEventListener('hashchange', () => {
  route.value = readRoute(location.hash);
  scrollTo(0, 0);
});

export const linkTo = (to: Route): string =>
  to.page === 'hall' ? '#/' : 'game' in to ? `#/${to.page}/${to.game}` : `#/${to.page}`;
export const go = (to: Route): void => {
  location.hash = linkTo(to);
};
