// Two players give each other what they carry: both change, or neither does.
function swapItems(firstId, secondId) {
  const container = getContext().getCollection();

  read(firstId, (first) =>
    read(secondId, (second) => {
      [first.item, second.item] = [second.item, first.item];
      write(first, () =>
        write(second, () => getContext().getResponse().setBody({ [firstId]: first.item, [secondId]: second.item })));
    }));

  function read(id, then) {
    const query = { query: 'SELECT * FROM players p WHERE p.id = @id', parameters: [{ name: '@id', value: id }] };
    must(container.queryDocuments(container.getSelfLink(), query, (error, found) => {
      if (error) {
        throw new Error(error.number, error.body);
      }
      if (found.length !== 1) {
        throw new Error(404, 'There is no player ' + id);
      }
      then(found[0]);
    }));
  }

  function write(player, then) {
    must(container.replaceDocument(player._self, player, { etag: player._etag }, (error) => {
      if (error) {
        throw new Error(error.number, 'The swap of ' + player.id + ' failed: ' + error.body);
      }
      then();
    }));
  }

  function must(accepted) {
    if (!accepted) {
      throw new Error(408, 'There was no time for the swap');
    }
  }
}
