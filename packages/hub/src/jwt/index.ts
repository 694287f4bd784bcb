/** The scheme `jwt`: tokens of an identity provider. The only part of the hub that knows them. */
export { createJwtAuth } from "./jwt-auth.js";
export type { JwtAuthOptions, JwtClaims, JwtKeys } from "./options.js";
