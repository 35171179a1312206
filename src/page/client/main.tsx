import { render } from 'preact';
import { Page } from './page.js';

render(<Page />, document.getElementById('page')!);
