/** Whether a link from outside may be followed: http and https only, so that no `javascript:` address runs. */
export function isWebAddress(address: string | null): address is string {
  return address !== null && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
