export { createGateway } from "./create-gateway.ts";
export type { Gateway, GatewayOptions } from "./gateway.ts";
export type { GatewayEvent, SentForm } from "./gateway-event.ts";
export { type GatewayLimits, gatewayLimits } from "./guard/gateway-limits.ts";
export type { GatewayStatus, SessionStatus } from "./status/gateway-status.ts";
