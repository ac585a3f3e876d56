/** Ports of the world of `pressure_world.ts`; the program that scales in it imports nothing else of it. */

/** Port of the instance with index 0, which does not exist. */
export const BASE_PORT = 9100;

/** stub_status of the nginx before the instances. */
export const STATUS_PORT = 8088;
