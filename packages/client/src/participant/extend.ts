/**
 * Adds members to an object and gives the same object back. Getters stay getters.
 *
 * @param base - extended in place
 */
export function extend<B extends object, E extends object>(base: B, extension: E): B & E {
  return Object.defineProperties(base, Object.getOwnPropertyDescriptors(extension)) as B & E;
}
