import { mount } from 'svelte';
import 'uplot/dist/uPlot.min.css';
import './app.css';
import App from './App.svelte';
import { loadSession } from './session.svelte';
import { loadTexts } from './text.svelte';

const target = document.getElementById('app');
if (target) {
  // What fails is told by the page that asks next.
  void Promise.allSettled([loadTexts(), loadSession()]).then(() => mount(App, { target }));
}
