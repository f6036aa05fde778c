// The one kernel module. Only what is re-exported here, by name, is compiled.
export { countSetBits } from './count-set-bits';
