export { createGateway } from "./create-gateway.ts";
export type { Gateway, GatewayEvent, GatewayOptions, SentForm } from "./gateway.ts";
export { type GatewayLimits, gatewayLimits } from "./guard/gateway-limits.ts";
export type { GatewayStatus, SessionStatus } from "./status/gateway-status.ts";
