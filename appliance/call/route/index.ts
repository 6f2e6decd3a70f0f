/** Public face of routing: who is meant by a destination. */
export {
  type ApplicationKind,
  type Caller,
  type Route,
  type RouteDirectory,
  type RouteQuestion,
  routeOf,
  routeText,
} from './route.ts';
