/** Prices in the shop's currency. */
export const products = [
  { icon: '🍞', name: 'Sourdough loaf', price: 4.8 },
  { icon: '🧀', name: 'Mountain cheese', price: 6.5 },
  { icon: '🍅', name: 'Vine tomatoes', price: 3.2 },
  { icon: '🍯', name: 'Heather honey', price: 7.9 },
  { icon: '☕', name: 'House coffee', price: 9.4 },
  { icon: '🥚', name: 'Six free-range eggs', price: 3.6 },
];
