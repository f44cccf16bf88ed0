import { mount } from 'svelte';
import 'uplot/dist/uPlot.min.css';
import './app.css';
import App from './App.svelte';
import { loadTexts } from './text.svelte';

const target = document.getElementById('app');
if (target) {
  void loadTexts().finally(() => mount(App, { target }));
}
