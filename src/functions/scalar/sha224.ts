import type { ScalarFunction } from '../../expr/function.js';
import { shaFunction } from '../support/sha-function.js';

export const sha224: ScalarFunction = shaFunction('sha224', '23097d22');
