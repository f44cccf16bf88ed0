exports.load = async (context) => {
  await fetch('http://127.0.0.1:1/');
};
