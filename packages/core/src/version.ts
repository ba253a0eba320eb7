/** The version of this package; a test holds it equal to the package file's. */
export const version = "0.1.0";
