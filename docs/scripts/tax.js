// Function for queries: what is to be paid for an income.
function tax(income) {
  if (income === undefined) {
    throw new Error('no income');
  }
  return income < 1000 ? income * 0.1 : income < 10000 ? income * 0.2 : income * 0.4;
}
