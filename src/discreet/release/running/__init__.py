"""What whoever runs the server needs: is it alive, is it ready, what does it do, and copies that can be trusted."""
