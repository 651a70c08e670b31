export let a = 1;
export const z = {};
export default 2;
