// @exit 107
// A package name.
import _ from 'lodash';

export default function () {}
